import type { DataType } from '../../../src/plan/types/schema.ts'
import type { Cell, TestColumn } from '../../query/table.ts'
import { fc } from '../../support/generate.ts'
import { quoted } from '../explained.ts'
import { sqlText, textOf } from '../literals.ts'
import { literals } from '../wheres.ts'

/**
 * Conditions of the simple shape over columns. Most literals fit their columns; some are at the limit of what the core
 * takes.
 */
export function simpleConditions(columns: readonly TestColumn[], depth = 2): fc.Arbitrary<string> {
  const leaf = fc.constantFrom(...columns).chain(leaves)
  if (depth === 0) return leaf
  const inner = simpleConditions(columns, depth - 1)
  const nested = fc
    .tuple(fc.constantFrom('AND', 'OR', 'AND NOT', 'OR NOT'), inner, inner)
    .chain(([word, a, b]) => fc.constantFrom(`(${a}) ${word} (${b})`, `${a} ${word} ${b}`))
  const negated = inner.map((each) => `NOT (${each})`)
  return fc.oneof({ arbitrary: leaf, weight: 4 }, { arbitrary: nested, weight: 3 }, negated)
}

function leaves({ name, type, cells }: TestColumn): fc.Arbitrary<string> {
  const column = quoted(name)
  const literal = fc.oneof(
    { arbitrary: simpleLiterals(type, cells), weight: 8 },
    { arbitrary: literals(type, cells), weight: 1 },
  )
  const sign = fc.constantFrom('=', '==', '!=', '<>', '<', '<=', '>', '>=')
  const not = fc.constantFrom('', '', 'NOT ')
  return fc.oneof(
    { arbitrary: fc.tuple(sign, literal).map(([by, value]) => `${column} ${by} ${value}`), weight: 4 },
    fc.tuple(sign, literal).map(([by, value]) => `${value}${by}${column}`),
    fc.tuple(not, literal, literal).map(([word, a, b]) => `${column} ${word}BETWEEN ${a} AND ${b}`),
    fc
      .tuple(not, fc.array(literal, { minLength: 1, maxLength: 4 }))
      .map(([word, values]) => `${column} ${word}IN (${values.join(', ')})`),
    fc.constantFrom(`${column} IS NULL`, `${column} IS NOT NULL`, ...(type.kind === 'bool' ? [column] : [])),
  )
}

const INTEGERS = ['0', '1', '-1', '2', '300', '-129', '16777217', '9007199254740993', '9223372036854775807']
const DECIMALS = ['0.7', '.5', '-1.5', '2.', '0.10', '16777217.5', '-129.000000001', '12345678.123456789']
const DOUBLES = ['1e0', '7e-1', '-1.5e0', '1e300', '16777217e0', '9007199254740993e0', '1E-40']

/** Literals as people write them. */
function simpleLiterals(type: DataType, cells: readonly Cell[]): fc.Arbitrary<string> {
  const present = cells.filter((cell) => cell !== null)
  const texts = present.map((cell) => textOf(cell, type))
  const own = texts.length === 0 ? [] : [fc.constantFrom(...texts)]
  const numbers = texts.filter((text) => /^-?\d+(\.\d+)?$/.test(text))
  switch (type.kind) {
    case 'bool':
      return fc.constantFrom('TRUE', 'false')
    case 'int':
    case 'decimal':
    case 'float':
      return fc.oneof(
        fc.constantFrom(...INTEGERS),
        fc.constantFrom(...DECIMALS),
        fc.constantFrom(...DOUBLES),
        ...(numbers.length === 0 ? [] : [fc.constantFrom(...numbers), fc.constantFrom(...numbers)]),
        ...(numbers.length === 0 ? [] : [fc.constantFrom(...numbers).map((text) => `${text}e0`)]),
        fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value.toFixed(9)),
        fc.float({ min: -1000, max: 1000, noNaN: true }).map((value) => value.toFixed(4)),
      )
    case 'utf8':
      return fc.oneof(fc.constantFrom("'a'", "''", "'it''s'", "'zz'"), ...own.map((one) => one.map(sqlText)))
    default: {
      const times = {
        date: [
          "'2020-01-01'",
          "TIMESTAMP '2020-01-01T00:00:00Z'",
          "'0001-01-01'",
          "DATE '9999-12-31'",
          "DATE '2020-01-01'",
          "TIMESTAMP '2020-01-01 12:00:00'",
          "'1969-12-31'::DATE",
        ],
        time: ["'12:00:00'", "TIME '00:00:00.000001'", "'23:59:59.999'"],
        timestamp: [
          "'2020-01-01'",
          "'2020-01-01T00:00:00'",
          "'2020-01-01 00:00:01Z'",
          "'2020-01-01 00:00'",
          "'2020-01-01T00:00Z'",
          "TIMESTAMP '2020-01-01 00:00:01Z'",
          "TIMESTAMP '2019-12-31T23:59'",
          "'1969-12-31 23:59:59.999'",
          "TIMESTAMP '0001-01-01'",
          "'9999-12-31 23:59:59'",
          "TIMESTAMP '2020-01-01 00:00:00.000001'",
          "CAST('2020-01-01 00:00:00' AS TIMESTAMP)",
          "DATE '2020-01-01'",
        ],
      }
      const some = type.kind === 'date' || type.kind === 'time' ? times[type.kind] : times.timestamp
      const typed = type.kind === 'timestamp' && type.zone !== null ? [] : own.map((one) => one.map(sqlText))
      return fc.oneof(fc.constantFrom(...some), ...typed)
    }
  }
}
