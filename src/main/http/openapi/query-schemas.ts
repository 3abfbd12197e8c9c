import { OUTPUT_NAMES, OUTPUTS } from '../../output/outputs.ts'
import { COMPARISONS } from '../../query/request/filters/filter-members.ts'
import { pascalCase } from './pascal-case.ts'

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

type NamedSchema = { readonly $id: string } & Record<string, unknown>

/**
 * A schema with alternatives, and the alternatives, each a schema with a name: generated clients call types by it, and
 * openapi-python-client takes an alternative that refers to the whole only if it has one.
 */
function choice(
  $id: string,
  texts: readonly object[],
  alternatives: Readonly<Record<string, object>>,
): readonly NamedSchema[] {
  const named = Object.entries(alternatives).map(([id, schema]) => ({ $id: id, ...schema }))
  return [{ $id, oneOf: [...texts, ...named.map((schema) => ref(schema.$id))] }, ...named]
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

/** The formats that have options, by the names of their schemas. */
const OUTPUTS_WITH_OPTIONS = Object.fromEntries(
  [...OUTPUT_NAMES].flatMap(([name, format]) =>
    OUTPUTS[format].options === null
      ? []
      : [[`${pascalCase(name)}Output`, single(name, ref(optionsId(format)))]],
  ),
)

function optionsId(format: string): string {
  return `${pascalCase(format)}Options`
}

/** The query language, except its sources, as JSON Schema 2020-12 for the OpenAPI document. */
export const QUERY_SCHEMAS: readonly NamedSchema[] = [
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
    // Not as `anyOf`, of which openapi-python-client would make a body of any type.
    description: 'It has `select` or `distinct`, or both',
    ...object(
      {
        select: {
          ...listOf('Select'),
          description: 'The columns of the answer. It may be left out next to `distinct`',
        },
        from: { ...ref('From'), description: 'Absent: the default table' },
        filter: ref('Filter'),
        filters: { ...listOf('Filter'), description: 'All of them must hold' },
        preset: { ...text, description: 'A preset of the table, whose filters must hold, too' },
        sort_by: {
          type: 'array',
          items: ref('SortKey'),
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
    additionalProperties: false,
  },
  ...choice('SortKey', [], { Ascending: single('Asc', text), Descending: single('Desc', text) }),
  ...choice('Select', [{ ...text, description: 'A column' }], {
    SelectColumn: object({ column: text, alias: text }, ['column']),
    SelectCall: object(
      {
        function: { ...text, description: 'A scalar function of DuckDB, in lower case' },
        args: listOf('Select'),
        alias: text,
      },
      ['function', 'args'],
    ),
    SelectConstant: object({ value: { type: ['string', 'number', 'boolean', 'null'] }, alias: text }, [
      'value',
    ]),
  }),
  ...choice('Filter', [], {
    ColumnFilter: {
      ...object({ column: text, ...operators, ...point }, ['column']),
      description: 'All operators of the object hold. A geometry may stand beside them',
    },
    IsNullFilter: single('is_null', columnTest),
    IsNotNullFilter: single('is_not_null', columnTest),
    AndFilter: single('and', listOf('Filter')),
    OrFilter: single('or', listOf('Filter')),
    NotFilter: single('not', ref('Filter')),
    GeometryFilter: { ...object(point), additionalProperties: false },
  }),
  { $id: 'Output', ...single('format', ref('OutputFormat')) },
  ...choice('OutputFormat', [], {
    FormatName: { ...text, enum: NAMES_ALONE },
    ...OUTPUTS_WITH_OPTIONS,
  }),
  ...Object.entries(OUTPUTS).flatMap(([format, { options }]) =>
    options === null ? [] : [{ $id: optionsId(format), ...options.schema }],
  ),
]
