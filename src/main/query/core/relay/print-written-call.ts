import { decline } from '../../bind/declined.ts'
import { printForm } from '../print/print-form.ts'

/** Operators that stand between their arguments, for calls that are bound and for those that are written. */
export const INFIX: readonly (readonly [name: string, sign: string])[] = [
  ...['+', '-', '*', '//', '%', '||', '=', '<>', '<', '<=', '>', '>='].map((sign) => [sign, sign] as const),
  ['and', 'AND'],
  ['or', 'OR'],
  ['is_distinct_from', 'IS DISTINCT FROM'],
  ['is_not_distinct_from', 'IS NOT DISTINCT FROM'],
]

/**
 * A call in the SQL of a service of this version. `args` are printed, `type` is the name of the type of a cast, and `infix` has the signs of operators by
 * their names. Declines calls that have no form.
 */
export function printWrittenCall(
  name: string,
  args: readonly string[],
  type: string,
  infix: ReadonlyMap<string, string>,
): string {
  const form = printForm(name, args, type)
  if (form !== null) return form
  if (name === 'case') {
    const branches = Array.from(
      { length: args.length >> 1 },
      (_, branch) => `WHEN ${args[2 * branch]} THEN ${args[2 * branch + 1]}`,
    )
    return `CASE ${branches.join(' ')} ELSE ${args.at(-1)} END`
  }
  if (name === '-' && args.length === 1) return `(-${args[0]})`
  const sign = infix.get(name)
  if (sign !== undefined && args.length > 1) return `(${args.join(` ${sign} `)})`
  return /^[a-z_]\w*$/.test(name) ? `${name}(${args.join(', ')})` : decline(`"${name}"`)
}
