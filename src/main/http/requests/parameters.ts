import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../plan/errors.ts'

/** The query string as a form: `+` is a space, what is not known is ignored (docs/reference/http.md). */
export function parametersOf(request: FastifyRequest): URLSearchParams {
  const start = request.url.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : request.url.slice(start + 1))
}

/** Null when absent. Throws `invalid_parameter` when given twice. */
export function optionalParameter(parameters: URLSearchParams, name: string): string | null {
  const values = parameters.getAll(name)
  if (values.length > 1)
    throw new ServiceError('invalid_parameter', `The parameter \`${name}\` is given twice.`)
  return values[0] ?? null
}

/** Throws `invalid_parameter` when absent or given twice. */
export function requiredParameter(parameters: URLSearchParams, name: string): string {
  const value = optionalParameter(parameters, name)
  if (value === null) throw new ServiceError('invalid_parameter', `The parameter \`${name}\` is missing.`)
  return value
}

/** A whole number, 0 or more; the fallback when absent. Throws `invalid_parameter` for anything else. */
export function countParameter(parameters: URLSearchParams, name: string, fallback: number): number {
  const value = optionalParameter(parameters, name)
  if (value === null) return fallback
  if (!/^\d+$/.test(value))
    throw new ServiceError(
      'invalid_parameter',
      `The parameter \`${name}\` must be a whole number, not '${value}'.`,
    )
  return Number(value)
}
