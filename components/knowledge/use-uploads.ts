import { useCallback, useEffect, useRef, useState } from 'react';
import { type RequestFailure, toRequestFailure } from '#components/api/request.ts';
import { uploadFile } from '#components/api/upload-file.ts';
import { type DocumentSummaryView, documentSummaryView } from '#lib/knowledge/contract.ts';

/** A file on its way to become a document. */
export interface Upload {
  readonly key: number;
  readonly file: File;
  /** What share of it has left, 0 to 1; then the server reads it. */
  readonly share: number;
  readonly document: DocumentSummaryView | null;
  readonly failure: RequestFailure | null;
}

interface Uploads {
  readonly uploads: readonly Upload[];
  add: (files: Iterable<File>) => void;
  again: (upload: Upload) => void;
  remove: (upload: Upload) => void;
}

/** Files that are sent one after the other; one that fails holds up none of the others. */
export function useUploads(tenantSlug: string): Uploads {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const line = useRef<Promise<void>>(Promise.resolve());
  const stops = useRef(new Map<number, AbortController>());
  const nextKey = useRef(0);
  const change = useCallback((key: number, to: Partial<Upload>) => {
    setUploads((before) => before.map((upload) => (upload.key === key ? { ...upload, ...to } : upload)));
  }, []);
  const send = useCallback(
    (key: number, file: File) => {
      const stop = new AbortController();
      stops.current.set(key, stop);
      const before = line.current;
      const sendInTurn = async () => {
        await before;
        if (stop.signal.aborted) return;
        try {
          const path = `/api/t/${tenantSlug}/document-files?name=${encodeURIComponent(file.name)}`;
          const onProgress = (share: number) => change(key, { share });
          const document = await uploadFile(path, file, { schema: documentSummaryView, onProgress, signal: stop.signal });
          change(key, { document, share: 1 });
        } catch (thrown) {
          change(key, { failure: toRequestFailure(thrown) });
        }
      };
      line.current = sendInTurn();
    },
    [tenantSlug, change],
  );
  useEffect(() => {
    const running = stops.current;
    return () => running.forEach((stop) => stop.abort());
  }, []);
  return {
    uploads,
    add: useCallback(
      (files) => {
        for (const file of files) {
          const key = (nextKey.current += 1);
          setUploads((before) => [...before, { key, file, share: 0, document: null, failure: null }]);
          send(key, file);
        }
      },
      [send],
    ),
    again: ({ key, file }) => {
      change(key, { failure: null, share: 0 });
      send(key, file);
    },
    remove: ({ key }) => {
      stops.current.get(key)?.abort();
      setUploads((before) => before.filter((upload) => upload.key !== key));
    },
  };
}
