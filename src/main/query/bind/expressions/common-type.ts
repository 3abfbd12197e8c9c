import { isAnyTime, TIMESTAMP, TIMESTAMPTZ, type TimeType } from '../../../../plan/kernels/calendar.ts'
import { commonDecimal, decimalOf, isShortDecimal } from '../../../../plan/kernels/decimals.ts'
import { type DataType, sameType } from '../../../../plan/types/schema.ts'
import { commonInteger } from './common-integer.ts'
import { isNumber, type Literal } from './literal.ts'
import { type Argument, typeOfLiteral } from './literal-constant.ts'
import { timeOfLiteral } from './time-literal.ts'

const FLOAT32: DataType = Object.freeze({ kind: 'float', bits: 32 })
const FLOAT64: DataType = Object.freeze({ kind: 'float', bits: 64 })

/**
 * The type to which DuckDB casts arguments that have to be of one type: those of an operator, a comparison or a choice. Literals take the
 * type of the others if it has their value. Null: the core has no such type, as for decimals of more than 18 digits, or it is not
 * certain. For arithmetic, integers with and without a sign have another one.
 */
export function commonType(args: readonly Argument[], isArithmetic: boolean): DataType | null {
  const literals = args.filter((arg): arg is Literal => arg.kind === 'literal' && arg.form !== 'null')
  const types = args.flatMap((arg) => (arg.kind === 'literal' ? [] : [arg.type]))
  const [first] = types
  const areNumbers = types.every(isNumberType) && literals.every(isNumber)
  if (areNumbers) return commonNumber(args, types, literals, isArithmetic)
  if (first === undefined) {
    const [literal] = literals
    const type = literal === undefined ? null : typeOfLiteral(literal)
    return type !== null && literals.every(({ form }) => form === literal?.form) ? type : null
  }
  const time = commonTime(types)
  if (time !== null) return literals.every((literal) => takesTime(time, literal)) ? time : null
  if (types.some((type) => !sameType(type, first))) return null
  const form = first.kind === 'utf8' ? 'string' : first.kind === 'bool' ? 'boolean' : null
  return literals.every((literal) => literal.form === form) ? first : null
}

/** The type of times of one type, or of dates, TIMESTAMPs and those with a zone. Null: they are others. */
function commonTime(types: readonly DataType[]): TimeType | null {
  const [first] = types
  if (!isAnyTime(first) || types.every((type) => sameType(type, first)))
    return isAnyTime(first) ? first : null
  const isEither = (type: DataType): boolean =>
    [TIMESTAMP, TIMESTAMPTZ].some((each) => sameType(type, each)) || (isAnyTime(type) && type.kind === 'date')
  const hasZone = types.some((type) => sameType(type, TIMESTAMPTZ))
  return types.every(isEither) ? (hasZone ? TIMESTAMPTZ : TIMESTAMP) : null
}

/** Whether DuckDB casts a literal to the type of the times beside it. A TIMESTAMP would give those in other units its own type. */
function takesTime(type: TimeType, literal: Literal): boolean {
  const isOfType = literal.form === 'string' || type.kind === 'date' || type.unit === 'microsecond'
  return isOfType && timeOfLiteral(literal, type) !== null
}

export function isNumberType({ kind }: DataType): boolean {
  return kind === 'int' || kind === 'float' || kind === 'decimal'
}

function commonNumber(
  args: readonly Argument[],
  types: readonly DataType[],
  literals: readonly Literal[],
  isArithmetic: boolean,
): DataType | null {
  if (types.length + literals.length === 0) return null
  const has = (test: (type: DataType) => boolean): boolean => types.some(test)
  if (has((type) => type.kind === 'float' && type.bits === 16)) return null
  if (has((type) => type.kind === 'float' && type.bits === 64)) return FLOAT64
  if (literals.some(({ form }) => form === 'double')) return FLOAT64
  if (has((type) => type.kind === 'float')) return FLOAT32
  if (has((type) => type.kind === 'decimal') || literals.some(({ form }) => form === 'decimal')) {
    const decimals = [...types, ...literals.map(typeOfLiteral)].map((type) => type && decimalOf(type))
    const common = decimals.every((type) => type !== null) ? commonDecimal(decimals) : null
    return common !== null && isShortDecimal(common) ? common : null
  }
  return commonInteger(args, isArithmetic)
}
