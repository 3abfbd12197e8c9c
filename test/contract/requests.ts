import type { CallerName, Request, Step } from './row.ts'

/** How the rows of the contract write their requests. */

const JSON_TYPE = { 'content-type': 'application/json' }

export function get(path: string): Request {
  return { method: 'GET', path, caller: null, headers: {}, body: undefined }
}

export function del(path: string): Request {
  return { ...get(path), method: 'DELETE' }
}

export function post(path: string, body?: unknown): Request {
  return { method: 'POST', path, caller: null, headers: body === undefined ? {} : JSON_TYPE, body }
}

export function put(path: string, body?: unknown): Request {
  return { ...post(path, body), method: 'PUT' }
}

/** Bytes of a file, as clients send them. */
export function bytes(method: string, path: string, body: string): Request {
  return { method, path, caller: null, headers: { 'content-type': 'application/octet-stream' }, body }
}

export function query(body: unknown): Request {
  return post('/api/query', body)
}

export function sql(text: string, output?: unknown): Request {
  return query(output === undefined ? { sql: text } : { sql: text, output: { format: output } })
}

/** A statement of the super-user. */
export function admin(text: string): Request {
  return by('super-user', sql(text))
}

export function by(caller: CallerName, request: Request): Request {
  return { ...request, caller }
}

/** With further headers. Those that are undefined are not sent. */
export function having(headers: Readonly<Record<string, string | undefined>>, request: Request): Request {
  const all = Object.entries({ ...request.headers, ...headers })
  return {
    ...request,
    headers: Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  }
}

/** By another method. */
export function using(method: string, request: Request): Request {
  return { ...request, method }
}

/** Comes before the request of a row, by the super-user unless it says otherwise. */
export function step(request: Request): Step {
  return { request: { ...request, caller: request.caller ?? 'super-user' }, name: null, from: null }
}

/** The same, of whose answer the row needs the value of a header or a member. `asCaller`: by the caller of the row. */
export function stepGiving(name: string, from: string, request: Request): Step {
  return { request: { ...request, caller: request.caller ?? 'super-user' }, name, from }
}
