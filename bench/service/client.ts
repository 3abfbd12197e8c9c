import { type Agent, type IncomingMessage, request } from 'node:http'

/** The error for an answer whose status is neither 200 nor 304. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number | undefined

  constructor(status: number | undefined, text: string) {
    super(`${status} ${text}`)
    this.status = status
  }
}

/** A request to the service. */
export interface Asked {
  readonly agent: Agent
  readonly port: number
  /** The query as JSON. */
  readonly text: string
  /** `GET` puts the query into the URL. Default: `POST`. */
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  /** Closes the connection when it is aborted. */
  readonly signal?: AbortSignal
}

export interface Answered {
  readonly status: 200 | 304
  readonly etag: string | null
}

/**
 * Sends a request and calls `take` with each chunk of the answer's body. Rejects when the request is refused, when the answer
 * ends early, and when the signal is aborted.
 */
export function ask(
  { agent, port, text, method = 'POST', headers = {}, signal }: Asked,
  take: (chunk: Buffer, response: IncomingMessage) => void,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        method,
        path: method === 'GET' ? `/api/query?q=${encodeURIComponent(text)}` : '/api/query',
        headers: { ...headers, ...(method === 'POST' && { 'content-type': 'application/json' }) },
        ...(signal !== undefined && { signal }),
      },
      (response) => {
        const refusal: Buffer[] = []
        const { statusCode } = response
        response.on('data', (chunk: Buffer) => {
          if (statusCode === 200) take(chunk, response)
          else refusal.push(chunk)
        })
        response.on('error', reject)
        response.on('end', () => {
          if (statusCode === 200 || statusCode === 304)
            resolve({ status: statusCode, etag: response.headers.etag ?? null })
          else reject(new RefusedError(statusCode, Buffer.concat(refusal).toString()))
        })
      },
    )
    asked.on('error', reject)
    asked.end(method === 'POST' ? text : undefined)
  })
}
