import { type Agent, type IncomingMessage, request } from 'node:http'

/** An answer that is not 200. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number | undefined

  constructor(status: number | undefined, text: string) {
    super(`${status} ${text}`)
    this.status = status
  }
}

/** What to ask of whom. */
export interface Asked {
  readonly agent: Agent
  readonly port: number
  /** The body of `POST /api/query`, JSON. */
  readonly text: string
  /** Hangs up. */
  readonly signal?: AbortSignal
}

/**
 * Hands the body of the answer over as it arrives. Rejects when the status is not 200, when the answer is cut short and
 * when the signal hangs up.
 */
export function ask(
  { agent, port, text, signal }: Asked,
  take: (chunk: Buffer, response: IncomingMessage) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/api/query',
        headers: { 'content-type': 'application/json' },
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
          if (statusCode === 200) resolve()
          else reject(new RefusedError(statusCode, Buffer.concat(refusal).toString()))
        })
      },
    )
    asked.on('error', reject)
    asked.end(text)
  })
}
