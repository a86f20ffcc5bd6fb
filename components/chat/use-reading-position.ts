import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

const NEAR_END_PX = 48;

interface ReadingPosition {
  scrollerRef: RefObject<HTMLDivElement | null>;
  contentRef: RefObject<HTMLDivElement | null>;
  /** Whether the end of the text is in view. */
  isAtEnd: boolean;
  /** Whether text has arrived below what is in view. */
  hasNewText: boolean;
  goToEnd: () => void;
  /** Brings a turn to the top, so that its answer grows below it in view. */
  pin: (element: Element) => void;
}

/**
 * Keeps the view where the reader put it. Nothing moves it but the reader: text grows below, and only after "to the end"
 * does the view follow the text, until the reader scrolls.
 */
export function useReadingPosition(): ReadingPosition {
  const scrollerRef = useRef<HTMLDivElement>(null);
  const contentRef = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(false);
  const ownTop = useRef(-1);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const [hasNewText, setHasNewText] = useState(false);

  const moveTo = useCallback((top: number) => {
    const scroller = scrollerRef.current;
    if (!scroller) return;
    scroller.scrollTop = top;
    ownTop.current = scroller.scrollTop;
  }, []);

  // A chat opens at its newest turn: at the top of it when it is longer than the view, else at the end.
  useLayoutEffect(() => {
    const newest = scrollerRef.current?.querySelector('[data-newest]');
    if (!newest) return;
    newest.scrollIntoView({ block: 'start' });
    ownTop.current = scrollerRef.current?.scrollTop ?? -1;
  }, []);

  useEffect(() => {
    const scroller = scrollerRef.current;
    const content = contentRef.current;
    if (!scroller || !content) return undefined;
    const look = () => {
      const isNow = isNearEnd(scroller);
      setIsAtEnd(isNow);
      if (isNow) setHasNewText(false);
    };
    const onScroll = () => {
      if (Math.abs(scroller.scrollTop - ownTop.current) > 1) isFollowing.current = false;
      look();
    };
    let height = content.offsetHeight;
    const watch = new ResizeObserver(() => {
      const hasGrown = content.offsetHeight > height;
      height = content.offsetHeight;
      if (isFollowing.current) moveTo(scroller.scrollHeight);
      else if (hasGrown && !isNearEnd(scroller)) setHasNewText(true);
      look();
    });
    scroller.addEventListener('scroll', onScroll, { passive: true });
    watch.observe(content);
    return () => {
      scroller.removeEventListener('scroll', onScroll);
      watch.disconnect();
    };
  }, [moveTo]);

  const goToEnd = useCallback(() => {
    isFollowing.current = true;
    if (scrollerRef.current) moveTo(scrollerRef.current.scrollHeight);
    setHasNewText(false);
  }, [moveTo]);

  const pin = useCallback((element: Element) => {
    isFollowing.current = false;
    element.scrollIntoView({ block: 'start' });
    ownTop.current = scrollerRef.current?.scrollTop ?? -1;
  }, []);

  return { scrollerRef, contentRef, isAtEnd, hasNewText, goToEnd, pin };
}

function isNearEnd(scroller: HTMLElement): boolean {
  return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END_PX;
}
