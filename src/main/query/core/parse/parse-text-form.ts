import type { TokenReader } from '../../../sql/text/token-reader.ts'
import { isSign } from '../../../sql/text/tokens.ts'
import { decline } from '../../bind/declined.ts'
import type { Call, SqlExpression } from './ast.ts'

type Parse = () => SqlExpression

/**
 * Parses a function of text in the form that the grammar has for it: `position(a IN b)`, `substring(x FROM a FOR b)` or
 * `trim(LEADING c FROM x)`, also with commas. `any` parses an expression, `operand` one that ends before IN. Null: another thing comes next.
 */
export function parseTextForm(reader: TokenReader, any: Parse, operand: Parse): Call | null {
  if (!isSign(reader.peek(1), '(')) return null
  if (reader.isWord('POSITION')) return parsePosition(reader, operand)
  if (reader.isWord('SUBSTRING')) return parseSubstring(reader, any)
  return reader.isWord('TRIM') ? parseTrim(reader, any) : null
}

function parsePosition(reader: TokenReader, operand: Parse): Call {
  const at = takeName(reader)
  const part = operand()
  if (!reader.takeWords('IN')) decline('position without IN', reader.at())
  const text = operand()
  reader.expectSign(')')
  return { kind: 'call', name: 'position', args: [text, part], hasForm: true, at }
}

function parseSubstring(reader: TokenReader, any: Parse): Call {
  const at = takeName(reader)
  const args = [any()]
  if (reader.takeWords('FROM')) {
    args.push(any())
    if (reader.takeWords('FOR')) args.push(any())
  } else while (reader.takeSign(',')) args.push(any())
  reader.expectSign(')')
  return { kind: 'call', name: 'substring', args, hasForm: true, at }
}

/** The functions that trim a side, by the word for it. */
const SIDES = Object.freeze({ BOTH: 'trim', LEADING: 'ltrim', TRAILING: 'rtrim' } as const)

function parseTrim(reader: TokenReader, any: Parse): Call {
  const at = takeName(reader)
  const side = (['BOTH', 'LEADING', 'TRAILING'] as const).find((word) => reader.takeWords(word)) ?? 'BOTH'
  const args: SqlExpression[] = []
  if (!reader.isWord('FROM')) args.push(any())
  // The characters stand before the text.
  if (reader.takeWords('FROM')) args.unshift(any())
  else while (reader.takeSign(',')) args.push(any())
  reader.expectSign(')')
  return { kind: 'call', name: SIDES[side], args, hasForm: true, at }
}

/** Takes the name and the bracket behind it. */
function takeName(reader: TokenReader): number {
  const at = reader.at()
  reader.next()
  reader.expectSign('(')
  return at
}
