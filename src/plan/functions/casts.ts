import type { FunctionFamily } from './function-row.ts'
import { macro, row } from './row.ts'

/** The variable of a connection with a field for each Arrow type that a statement names, whose value is a null of that type. */
export const ARROW_TYPES = 'arrow_types'

/** What the key of a field begins with. Behind it is the name of the type as `hex` prints its bytes. */
export const TYPE_KEY = 'arrow type '

const CAST = `cast_to_type(x, struct_extract(getvariable('${ARROW_TYPES}'), '${TYPE_KEY}' || hex(arrow_type)))`

const TYPE = 'The type is a literal, as in `Int64`, `Decimal128(10, 2)`, `Timestamp(ns)` or `List(Utf8)`.'

/** Functions of types. */
export const CASTS: FunctionFamily = Object.freeze({
  title: 'Types of Arrow',
  rows: [
    row({
      name: 'arrow_cast',
      overloads: ['x ANY, arrow_type VARCHAR -> ANY'],
      nulls: 'are values',
      form: macro(['x, arrow_type', CAST]),
      description: `A value in the type with this name in Arrow. ${TYPE} What cannot be cast is an error.`,
      examples: [
        ["arrow_cast('5.25', 'Decimal128(10, 2)')", '5.25'],
        ["arrow_cast('2024-02-29', 'Timestamp(Second, None)')", '2024-02-29T00:00:00'],
      ],
    }),
    row({
      name: 'arrow_typeof',
      overloads: ['x ANY -> VARCHAR'],
      nulls: 'are values',
      form: macro(['x', '_arrow_type(typeof(x))']),
      description: 'The name in Arrow of the type that a value has in an answer.',
      examples: [
        ["arrow_typeof(TIMESTAMP '2024-02-29 12:30:00')", 'Timestamp(us)'],
        ['arrow_typeof([1.5])', 'List<Decimal128(2, 1)>'],
      ],
    }),
    row({
      name: 'try_arrow_cast',
      overloads: ['x ANY, arrow_type VARCHAR -> ANY'],
      nulls: 'are values',
      form: macro(['x, arrow_type', `TRY(${CAST})`]),
      description: 'As `arrow_cast`, but null where the value cannot be cast.',
      examples: [["try_arrow_cast('n/a', 'Float64')", 'NULL']],
    }),
  ],
})
