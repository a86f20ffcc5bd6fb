'use client';

import './globals.css';

/** Both languages at once: where this shows, not even the language is known. */
const TEXT = [
  {
    lang: 'en',
    title: 'This page broke',
    body: 'Reload it. If it stays, give the reference to whoever runs this server.',
    reload: 'Reload',
    home: 'Go to the start page',
  },
  { lang: 'zh-CN', title: '页面出错了', body: '请重新加载。如果一直这样，请把编号交给管理员。', reload: '重新加载', home: '回到首页' },
] as const;

export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en" data-theme="system">
      <body>
        <main role="alert" className="mx-auto flex max-w-xl flex-col gap-8 p-6 pt-[12dvh]">
          {TEXT.map(({ lang, title, body, reload, home }) => (
            <div key={lang} lang={lang} className="flex flex-col items-start gap-2">
              <h1 className="text-page font-semibold">{title}</h1>
              <p className="text-chat text-muted-foreground">{body}</p>
              <p className="flex items-center gap-4 text-ui">
                <button type="button" onClick={reset} className="h-8 rounded-control border border-input px-3 font-medium">
                  {reload}
                </button>
                {/* Works where no script runs either. */}
                {/* oxlint-disable-next-line nextjs/no-html-link-for-pages -- the router may be what broke */}
                <a href="/" className="text-primary underline underline-offset-2">
                  {home}
                </a>
              </p>
            </div>
          ))}
          {error.digest ? <code className="font-mono text-meta text-muted-foreground">{error.digest}</code> : null}
        </main>
      </body>
    </html>
  );
}
