import { z } from 'zod';

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

const csrf = z.object({ csrfToken: z.string() });

/** Signs in over HTTP as the sign-in page does. Gives the headers by which a browser would show that it is signed in. */
export async function signIn(origin: string, person: Pick<Person, 'email' | 'password'>): Promise<{ cookie: string; origin: string }> {
  const jar = new Map<string, string>();
  const send = async (path: string, body?: object) => {
    const response = await fetch(`${origin}/api/auth/${path}`, {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        cookie: cookieOf(jar),
        ...(body && { origin, 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    return response;
  };
  const { csrfToken } = csrf.parse(await (await send('csrf')).json());
  const answer = await send('callback/password', { ...person, csrfToken, json: 'true', callbackUrl: origin });
  if (!answer.ok) throw new Error(`${person.email} could not sign in: ${answer.status} ${await answer.text()}`);
  return { cookie: cookieOf(jar), origin };
}

function cookieOf(jar: ReadonlyMap<string, string>): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
}
