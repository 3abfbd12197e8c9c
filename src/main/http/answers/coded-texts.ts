import type { FastifyReply, FastifyRequest } from 'fastify'
import { compress, MIN_CODED_BYTES } from '../../answers/content-coding.ts'
import { preferredCoding } from './accept-encoding.ts'
import { addVary } from './cache-control.ts'

/**
 * An `onSend` hook that compresses texts for clients that accept it: a listing may name a hundred thousand files. It takes a
 * callback rather than return a promise, because most payloads are no texts and would wait for nothing.
 */
export function codeTexts(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  if (typeof payload === 'string') codeText(request, reply, payload).then((sent) => done(null, sent), done)
  else done(null, payload)
}

async function codeText(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<string | Buffer> {
  if (text.length < MIN_CODED_BYTES) return text
  addVary(reply, 'accept-encoding')
  const type = String(reply.getHeader('content-type'))
  const coding = preferredCoding(request.headers['accept-encoding'], type)
  if (coding === null) return text
  const bytes = await compress(Buffer.from(text), coding)
  if (bytes === null) return text
  reply.header('content-encoding', coding)
  return bytes
}
