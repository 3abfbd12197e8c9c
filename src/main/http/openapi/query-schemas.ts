import { OUTPUT_NAMES, OUTPUTS } from '../../output/outputs.ts'
import { COMPARISONS } from '../../query/request/filters/filter-members.ts'

const text = { type: 'string' } as const
const count = { type: 'integer', minimum: 0 } as const

const ref = (id: string) => ({ $ref: `${id}#` })
const listOf = (id: string) => ({ type: 'array', items: ref(id) })

function object(properties: Record<string, unknown>, required: readonly string[] = Object.keys(properties)) {
  return { type: 'object', properties, required }
}

/** An object of exactly one member. */
function single(key: string, value: unknown) {
  return { ...object({ [key]: value }), additionalProperties: false }
}

const orderedValue = {
  type: ['number', 'string', 'null'],
  description: 'A number, a text, or a time as `YYYY-MM-DDTHH:MM:SS`; null: absent',
}
const equalValue = {
  type: ['number', 'string', 'boolean', 'null'],
  description: 'A value, or null for the test for null, if there is no other operator',
}
const values = { type: 'array', items: { type: ['number', 'string', 'boolean'] } } as const

const comparisons = Object.fromEntries(
  COMPARISONS.flatMap(([name, [first = name, ...aliases]]) => {
    const value = name === 'eq' || name === 'neq' ? equalValue : orderedValue
    return [
      [first, value],
      ...aliases.map((alias) => [alias, { ...value, description: `The same as \`${first}\`` }]),
    ]
  }),
)

const operators = {
  ...comparisons,
  in: { ...values, description: 'One of the values' },
  not_in: { ...values, description: 'None of the values' },
  like: { ...text, description: 'A pattern of SQL: `%` is any characters, `_` is one' },
  ilike: { ...text, description: 'The same without regard to case' },
  regex: { ...text, description: "A regular expression in RE2's syntax, found anywhere in the text" },
}

const point = {
  longitude_column: text,
  latitude_column: text,
  geometry: {
    type: 'object',
    description: 'A GeoJSON geometry; the point of both columns must lie inside',
  },
}

const columnTest = object({ column: text })

/** The names of formats that a request may give without options. */
const NAMES_ALONE = [...OUTPUT_NAMES].flatMap(([name, format]) =>
  OUTPUTS[format].options?.areRequired === true ? [] : [name],
)

/** The query language, except its sources, as JSON Schema 2020-12 for the OpenAPI document. */
export const QUERY_SCHEMAS: readonly ({ readonly $id: string } & Record<string, unknown>)[] = [
  {
    $id: 'Query',
    description: 'A query as a JSON object or as one SQL statement',
    oneOf: [ref('QueryBody'), ref('SqlQuery')],
  },
  {
    $id: 'SqlQuery',
    ...object(
      {
        sql: {
          ...text,
          description:
            'One query (SELECT, WITH, VALUES, FROM, EXPLAIN), or for `/api/query` a statement that is none',
        },
        output: ref('Output'),
      },
      ['sql'],
    ),
    additionalProperties: false,
  },
  {
    $id: 'QueryBody',
    ...object(
      {
        select: {
          ...listOf('Select'),
          description: 'The columns of the answer; may be left out next to `distinct`',
        },
        from: { ...ref('From'), description: 'Absent: the default table' },
        filter: ref('Filter'),
        filters: { ...listOf('Filter'), description: 'All of them must hold' },
        preset: { ...text, description: 'A preset of the table, whose filters must hold, too' },
        sort_by: {
          type: 'array',
          items: { oneOf: [single('Asc', text), single('Desc', text)] },
          description:
            'A column of the answer or of the files, the most significant first. Nulls come last in both directions; rows that are equal keep their order',
        },
        distinct: {
          ...object({ on: listOf('Select'), select: listOf('Select') }),
          description:
            'The first row for each combination of `on`, of which the columns `select` are the answer',
        },
        limit: { ...count, description: 'Rows at most' },
        offset: { ...count, description: 'Rows to skip' },
        output: ref('Output'),
      },
      [],
    ),
    anyOf: [{ required: ['select'] }, { required: ['distinct'] }],
    additionalProperties: false,
  },
  {
    $id: 'Select',
    oneOf: [
      { ...text, description: 'A column' },
      object({ column: text, alias: text }, ['column']),
      object(
        {
          function: { ...text, description: 'A scalar function of DuckDB, in lower case' },
          args: listOf('Select'),
          alias: text,
        },
        ['function', 'args'],
      ),
      object({ value: { type: ['string', 'number', 'boolean', 'null'] }, alias: text }, ['value']),
    ],
  },
  {
    $id: 'Filter',
    oneOf: [
      {
        ...object({ column: text, ...operators, ...point }, ['column']),
        description: 'All operators of the object hold. A geometry may stand beside them',
      },
      single('is_null', columnTest),
      single('is_not_null', columnTest),
      single('and', listOf('Filter')),
      single('or', listOf('Filter')),
      single('not', ref('Filter')),
      { ...object(point), additionalProperties: false },
    ],
  },
  { $id: 'Output', ...single('format', ref('OutputFormat')) },
  {
    $id: 'OutputFormat',
    oneOf: [
      { ...text, enum: NAMES_ALONE },
      ...[...OUTPUT_NAMES].flatMap(([name, format]) => {
        const { options } = OUTPUTS[format]
        return options === null ? [] : [single(name, options.schema)]
      }),
    ],
  },
]
