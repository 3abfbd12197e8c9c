import { decline } from '../../declined.ts'
import { bindCase, bindComparison } from '../forms.ts'
import { literalAs } from '../literal-constant.ts'
import { alike, type BindFunction, type FunctionFamily, makeCall, named } from '../make-call.ts'

/** Null where both are equal, else the first, whose type the result has. */
const nullIf: BindFunction = (_, args, at) => {
  const [value, other, ...others] = args
  if (value === undefined || other === undefined || others.length > 0 || value.kind === 'literal')
    return decline('the function nullif', at)
  return makeCall(
    'case',
    [bindComparison('=', [value, other], at), literalAs(NULL, value.type), value],
    value.type,
    at,
  )
}

const NULL = Object.freeze({ kind: 'literal', form: 'null', text: 'NULL', at: 0 } as const)

/** Functions that choose one of their arguments. */
export const OF_CHOICES: FunctionFamily = [
  ...['coalesce', 'greatest', 'least'].map((name) => [name, alike] as const),
  ['ifnull', named('coalesce', alike)],
  ['if', (_, args, at) => (args.length === 3 ? bindCase(args, at) : decline('the function if', at))],
  ['nullif', nullIf],
]
