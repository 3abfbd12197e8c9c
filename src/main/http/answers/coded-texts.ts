import type { FastifyReply, FastifyRequest } from 'fastify'
import { coded, FEWEST_BYTES } from '../../answers/content-coding.ts'
import { preferredCoding } from './accept-encoding.ts'
import { addVary } from './vary.ts'

/**
 * An `onSend` hook that codes texts, lists of a hundred thousand files among them, for clients that ask for it. With a
 * callback: most answers are no texts, and need not wait.
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
  if (text.length < FEWEST_BYTES) return text
  addVary(reply, 'accept-encoding')
  const type = String(reply.getHeader('content-type'))
  const coding = preferredCoding(request.headers['accept-encoding'], type)
  if (coding === null) return text
  const bytes = await coded(Buffer.from(text), coding)
  if (bytes === null) return text
  reply.header('content-encoding', coding)
  return bytes
}
