import type { FastifyReply } from 'fastify'
import { ServiceError } from '../../../plan/errors.ts'

/**
 * Aborts when the client leaves before its answer has been written to the end. Not `request.signal`: that one aborts
 * every POST as soon as its body is read.
 */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const { raw } = reply
  const controller = new AbortController()
  const leave = () => {
    if (!raw.writableFinished) controller.abort(new ServiceError('cancelled', 'The client left.'))
  }
  if (raw.destroyed) leave()
  else raw.once('close', leave)
  return controller.signal
}
