import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../plan/errors.ts'
import { HOPS_HEADER } from '../../remotes/services/headers.ts'

/** A request that has come through so many services is refused. */
const TOO_MANY_HOPS = 5

/**
 * How many services a request has come through. Throws `too_many_hops` for the fifth: tables of several services may name each other in a
 * circle. Throws `invalid_parameter` for what is no number.
 */
export function hopsOf({ headers }: FastifyRequest): number {
  const text = headers[HOPS_HEADER] ?? '0'
  const hops = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : null
  if (hops === null)
    throw new ServiceError(
      'invalid_parameter',
      `The header ${HOPS_HEADER} is the number of services that a request has come through.`,
    )
  if (hops < TOO_MANY_HOPS) return hops
  throw new ServiceError(
    'too_many_hops',
    `The request has come through ${hops} services; their tables probably name each other in a circle.`,
  )
}
