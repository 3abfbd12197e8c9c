import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { join } from 'node:path'
import { SUPER_USER } from '../http/test-server.ts'

/** What may be sent as a body. */
type Sent = NonNullable<RequestInit['body']>

const BASE = '/api/admin/datasets'

export interface Answered {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

/** Asks as the super-user. */
export async function ask(
  url: string,
  method: string,
  path: string,
  init: RequestInit = {},
): Promise<Answered> {
  const answer = await fetch(`${url}${BASE}${path}`, {
    duplex: 'half',
    ...init,
    method,
    headers: { ...SUPER_USER, ...(init.headers as Record<string, string>) },
  } as RequestInit)
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

export function upload(url: string, path: string, body: Sent, more = '', headers = {}): Promise<Answered> {
  return ask(url, 'POST', `/upload?path=${encodeURIComponent(path)}${more}`, { body, headers })
}

export async function begin(url: string, path: string, more = ''): Promise<string> {
  const { text } = await ask(url, 'POST', `/upload/initiate?path=${encodeURIComponent(path)}${more}`)
  return JSON.parse(text).upload_id
}

export function part(url: string, id: string, number: number, body: Sent, headers = {}): Promise<Answered> {
  return ask(url, 'PUT', `/upload/part?upload_id=${id}&part_number=${number}`, { body, headers })
}

export function complete(url: string, id: string): Promise<Answered> {
  return ask(url, 'POST', `/upload/complete?upload_id=${id}`)
}

export function abort(url: string, id: string): Promise<Answered> {
  return ask(url, 'DELETE', `/upload?upload_id=${id}`)
}

export function sha256(bytes: string | Buffer): string {
  return `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`
}

/** The files of uploads that are not whole. */
export function staged(root: string): readonly string[] {
  try {
    return readdirSync(join(root, '__service__'))
  } catch {
    return []
  }
}

/** The bytes of these files. */
export function stagedBytes(root: string): number {
  return staged(root).reduce((sum, name) => sum + statSync(join(root, '__service__', name)).size, 0)
}

/** A request of which the test sends the body piece by piece. */
export interface Sending {
  readonly request: ClientRequest
  readonly answer: Promise<{ readonly status: number; readonly text: string }>
}

export function startSending(url: string, path: string, options: RequestOptions = {}): Sending {
  const sent = request(`${url}${BASE}${path}`, {
    method: 'POST',
    ...options,
    headers: { ...SUPER_USER, ...(options.headers as Record<string, string>) },
  })
  const answer = once(sent, 'response').then(async ([response]) => {
    const message: IncomingMessage = response
    return {
      status: message.statusCode ?? 0,
      text: Buffer.concat(await message.toArray()).toString(),
    }
  })
  answer.catch(() => {})
  return { request: sent, answer }
}
