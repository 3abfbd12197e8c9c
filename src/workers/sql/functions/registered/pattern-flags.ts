import { ServiceError } from '../../../../plan/errors.ts'
import { shortened } from '../../../../wasm/duckdb/functions/regex.ts'

/** The flags that RE2 has in a pattern. It has no `x`, so what that one ignores is left out. */
const IN_PATTERN = 'imsU'

/** The pattern with its flags in it. Throws `invalid_sql` for a flag that there is not. */
export function patternWithFlags(pattern: string, flags: string): string {
  for (const flag of flags)
    if (flag !== 'x' && !IN_PATTERN.includes(flag))
      throw new ServiceError(
        'invalid_sql',
        `'${shortened(flags)}' are no flags of a regular expression: they are i, m, s, U and x.`,
      )
  const bare = flags.includes('x') ? withoutComments(pattern) : pattern
  const others = flags.replaceAll('x', '')
  return others === '' ? bare : `(?${others})${bare}`
}

/** The pattern without white space, and without comments from `#` to the end of a line. In square brackets `#` is a character. */
function withoutComments(pattern: string): string {
  let [kept, isInBrackets] = ['', false]
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at] ?? ''
    if (letter === '\\') kept += letter + (pattern[++at] ?? '')
    else if (letter === '#' && !isInBrackets) {
      const end = pattern.indexOf('\n', at)
      at = end < 0 ? pattern.length : end
    } else if (!/\s/.test(letter)) {
      if (letter === '[') isInBrackets = true
      else if (letter === ']') isInBrackets = false
      kept += letter
    }
  }
  return kept
}
