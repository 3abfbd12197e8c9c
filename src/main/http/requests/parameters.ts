import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../plan/errors.ts'

/** The query string as form data, in which `+` is a space (docs/reference/http.md). */
export function parametersOf(request: FastifyRequest): URLSearchParams {
  const start = request.url.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : request.url.slice(start + 1))
}

/** The value of a parameter. Null: it is absent. Throws `invalid_parameter` when it is given twice. */
export function optionalParameter(parameters: URLSearchParams, name: string): string | null {
  const values = parameters.getAll(name)
  if (values.length > 1)
    throw new ServiceError('invalid_parameter', `The parameter \`${name}\` is given twice.`)
  return values[0] ?? null
}

/**
 * The value of a parameter. Throws `invalid_parameter` when it is absent or given twice. `example` is a URL that has it, for the
 * message.
 */
export function requiredParameter(parameters: URLSearchParams, name: string, example: string): string {
  const value = optionalParameter(parameters, name)
  if (value === null)
    throw new ServiceError('invalid_parameter', `The parameter \`${name}\` is missing, as in ${example}.`)
  return value
}

/** Whether a parameter is `true`; false when absent. Throws `invalid_parameter` for anything but `true` and `false`. */
export function flagParameter(parameters: URLSearchParams, name: string): boolean {
  const value = optionalParameter(parameters, name) ?? 'false'
  if (value === 'true' || value === 'false') return value === 'true'
  throw new ServiceError(
    'invalid_parameter',
    `The parameter \`${name}\` must be true or false, not '${value.slice(0, 100)}'.`,
  )
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
