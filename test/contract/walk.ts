import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { tableFromIPC } from 'apache-arrow'
import { basic, SUPER_USER } from '../http/test-server.ts'
import type { CallerName, Expected, Request, Row } from './row.ts'
import { mismatch } from './shapes.ts'

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A service to which rows are sent. */
export interface Target {
  /** With the base path. */
  readonly url: string
  readonly base: string
  readonly hasCors: boolean
}

const CALLERS: Readonly<Record<CallerName, Readonly<Record<string, string>>>> = {
  anonymous: {},
  reader: { authorization: basic('reader', 'a reader') },
  limited: { authorization: basic('limited', 'a limited one') },
  roleless: { authorization: basic('roleless', 'a roleless one') },
  'super-user': SUPER_USER,
  'wrong password': { authorization: basic('reader', 'wrong') },
  'unknown user': { authorization: basic('nobody', 'a reader') },
}

let words = 0

/** Sends the requests of a row, and tells what is wrong with its answer. Null: nothing is. */
export async function answerTo(row: Row, target: Target): Promise<string | null> {
  const names = await namesBefore(row, target)
  if (typeof names === 'string') return names
  const answer = await send(filled(row.request, names), target)
  return fault(answer, filled(row.expected, names), row.request, target)
}

/**
 * Sends the row under `/admin`: as the super-user if any caller has the same answer, else as its caller. All but the super-user are
 * refused there, whatever the route.
 */
export async function answerUnderAlias(row: Row, target: Target): Promise<string | null> {
  const names = await namesBefore(row, target)
  if (typeof names === 'string') return names
  const { caller } = row.request
  const request = {
    ...row.request,
    path: `/admin${row.request.path}`,
    caller: caller ?? ('super-user' as const),
  }
  const isRefused = request.caller !== 'super-user' && request.method !== 'OPTIONS'
  const isUser = ['reader', 'limited', 'roleless'].includes(request.caller)
  const expected = isRefused ? refusal(isUser ? 403 : 401) : row.expected
  return fault(await send(filled(request, names), target), filled(expected, names), request, target)
}

/** A GET by HEAD: the same status and media type, and no body. */
export async function answerToHead(row: Row, target: Target): Promise<string | null> {
  const names = await namesBefore(row, target)
  if (typeof names === 'string') return names
  const answer = await send(filled({ ...row.request, method: 'HEAD' }, names), target)
  if (answer.body.length > 0) return 'HEAD has a body'
  const { status, type, headers } = filled(row.expected, names)
  return fault(answer, { status, type, headers, form: { kind: 'empty' } }, row.request, target)
}

function refusal(status: number): Expected {
  return { status, type: null, form: { kind: 'empty' }, headers: {} }
}

/** Sends what comes before a row, and returns the words of this sending. A text: what went wrong. */
async function namesBefore(
  { first }: Row,
  target: Target,
): Promise<Readonly<Record<string, string>> | string> {
  const names: Record<string, string> = { new: `n${++words}`, base: target.base }
  for (const { request, name, from } of first) {
    const answer = await send(filled(request, names), target)
    if (answer.status !== 200 && answer.status !== 204)
      return `before it: ${request.method} ${request.path} is ${answer.status} ${answer.body.toString().slice(0, 300)}`
    if (name === null || from === null) continue
    const value = answer.headers[from] ?? JSON.parse(answer.body.toString())[from]
    names[name] = String(value)
  }
  return names
}

function send({ method, path, caller, headers, body }: Request, { url }: Target): Promise<Answer> {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  // Node sends neither length nor chunks with the body of a GET.
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }
  const all = { ...CALLERS[caller ?? 'anonymous'], ...length, ...headers }
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url + path, { method, headers: all }, (message) => {
      message.toArray().then(
        (chunks) =>
          resolve({
            status: message.statusCode ?? 0,
            headers: message.headers,
            body: Buffer.concat(chunks),
          }),
        reject,
      )
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

/** What is wrong with an answer, by what is expected and by what holds for all answers. Null: nothing is. */
function fault(
  answer: Answer,
  { status, type, form, headers }: Expected,
  request: Request,
  target: Target,
): string | null {
  const { body } = answer
  const start = (): string => body.subarray(0, 300).toString()
  if (answer.status !== status) return `status ${answer.status}, not ${status}: ${start()}`
  const mediaType = answer.headers['content-type']?.replace(/;.*/, '') ?? null
  if (mediaType !== type) return `media type ${mediaType}, not ${type}: ${start()}`
  for (const [name, shape] of Object.entries(headers)) {
    const wrong = mismatch(answer.headers[name] ?? null, shape, name)
    if (wrong !== null) return wrong
  }
  if ((status === 401 || status === 403) && (body.length > 0 || 'www-authenticate' in answer.headers))
    return 'a refusal with a body or WWW-Authenticate'
  if (
    target.hasCors &&
    !request.path.startsWith('/swagger') &&
    answer.headers['access-control-allow-origin'] !== '*'
  )
    return 'no CORS header'
  switch (form.kind) {
    case 'empty':
      return body.length === 0 ? null : `a body: ${start()}`
    case 'text':
      return mismatch(body.toString(), form.shape)
    case 'json':
      return mismatch(JSON.parse(body.toString()), form.shape)
    case 'bytes':
      return body.toString('latin1').startsWith(form.head) ? null : `it begins with ${start()}`
    case 'arrow': {
      const { columns, rows, types } = form.table
      const table = tableFromIPC(new Uint8Array(body))
      return (
        mismatch(
          table.schema.fields.map(({ name }) => name),
          columns,
          'columns',
        ) ??
        (rows === undefined ? null : mismatch(table.numRows, rows, 'rows')) ??
        (types === undefined
          ? null
          : mismatch(
              table.schema.fields.map((field) => String(field.type)),
              types,
              'types',
            ))
      )
    }
  }
}

/** The value with the words in place of `%…%`, in all of its texts. */
function filled<T>(value: T, names: Readonly<Record<string, string>>): T {
  const fill = (text: string): string => text.replaceAll(/%(\w+)%/g, (whole, name) => names[name] ?? whole)
  const each = (value: unknown): unknown => {
    if (typeof value === 'string') return fill(value)
    if (value instanceof RegExp) return new RegExp(fill(value.source), value.flags)
    if (Array.isArray(value)) return value.map(each)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [fill(name), each(member)]))
  }
  return each(value) as T
}
