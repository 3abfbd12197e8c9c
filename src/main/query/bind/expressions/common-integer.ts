import type { DataType } from '../../../../plan/types/schema.ts'
import { type Argument, isInRange, typeOfLiteral } from './literal-constant.ts'

type IntType = Extract<DataType, { kind: 'int' }>

const INT64: IntType = Object.freeze({ kind: 'int', bits: 64, signed: true })

/**
 * The type that DuckDB gives integers beside each other. It takes them in order, two at a time. A literal takes the type before it if that has
 * its value. For arithmetic, types with and without a sign that differ too little become BIGINT. Null: it would have 128 bits.
 */
export function commonInteger(args: readonly Argument[], isArithmetic: boolean): IntType | null {
  /** The type so far. Null: there were only literals. */
  let common: IntType | null = null
  const values: bigint[] = []
  const add = (type: DataType | null): boolean => {
    if (type?.kind !== 'int') return false
    const both: IntType | null = common === null ? type : commonOfTwo(common, type, isArithmetic)
    common = both ?? common
    return both !== null
  }
  for (const arg of args) {
    if (arg.kind !== 'literal') {
      const isFirst = common === null
      if (!add(arg.type)) return null
      for (const value of isFirst ? values : [])
        if (!takes(common, value) && !add(typeOfInteger(value))) return null
    } else if (arg.form !== 'null') {
      const value = BigInt(arg.text)
      if (common === null) values.push(value)
      else if (!takes(common, value) && !add(typeOfInteger(value))) return null
    }
  }
  if (common === null) for (const value of values) if (!add(typeOfInteger(value))) return null
  return common
}

function takes(type: IntType | null, value: bigint): boolean {
  return type !== null && isInRange(value, type)
}

function typeOfInteger(value: bigint): DataType | null {
  return typeOfLiteral({ kind: 'literal', form: 'integer', text: String(value), at: 0 })
}

function commonOfTwo(a: IntType, b: IntType, isArithmetic: boolean): IntType | null {
  if (a.signed === b.signed) return a.bits >= b.bits ? a : b
  const [signed, unsigned] = a.signed ? [a, b] : [b, a]
  if (signed.bits > unsigned.bits) return signed
  if (unsigned.bits === 64) return null
  if (isArithmetic) return INT64
  return Object.freeze({ kind: 'int', bits: WIDER[unsigned.bits], signed: true })
}

/** The bits of the least type with a sign that has all values of one without. */
const WIDER = Object.freeze({ 8: 16, 16: 32, 32: 64 } as const)
