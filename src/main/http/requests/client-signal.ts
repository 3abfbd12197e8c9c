import type { FastifyReply } from 'fastify'
import { ServiceError } from '../../../plan/errors.ts'

/**
 * A signal that is aborted when the client closes the connection before all of its answer is written. `request.signal` will
 * not do: it is aborted for every POST as soon as the body is read.
 */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const { raw } = reply
  const controller = new AbortController()
  const onClose = () => {
    if (!raw.writableFinished) controller.abort(new ServiceError('cancelled', 'The client left.'))
  }
  if (raw.destroyed) onClose()
  else raw.once('close', onClose)
  return controller.signal
}
