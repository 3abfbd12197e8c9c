import type { Formats } from '../../../plan/format/create-formats.ts'
import type { FormatRow } from '../../../plan/format/format-row.ts'

const PATHS = {
  type: 'array',
  items: { type: 'string' },
  minItems: 1,
  description:
    'Files, folders and globs (`*`, `**`, `?`, `[…]`), relative to the dataset root. A path that exists as written is no glob',
} as const

/** JSON Schemas of `from` and of what it refers to: a table, or files of one format with the options of that format. */
export function sourceSchemas(
  formats: Formats,
): readonly ({ readonly $id: string } & Record<string, unknown>)[] {
  const keys = [...formats.fromKeys].map(([key, row]) => ({
    type: 'object',
    properties: { [key]: { $ref: `${idOf(row)}#` } },
    required: [key],
    additionalProperties: false,
    ...(row.isRead ? {} : { description: `${row.title} is not read by this version` }),
  }))
  const withOptions = formats.rows.filter(({ options }) => options.length > 0)
  return [
    { $id: 'From', oneOf: [{ type: 'string', description: 'A table' }, ...keys] },
    files(PLAIN, []),
    ...withOptions.map((row) => files(idOf(row), row.options)),
  ]
}

/** Files of a format without options. */
const PLAIN = 'Files'

function idOf({ title, options }: FormatRow): string {
  return options.length === 0 ? PLAIN : `${title}${PLAIN}`
}

function files($id: string, options: FormatRow['options']) {
  const properties = Object.fromEntries(options.map(({ name, schema }) => [name, schema]))
  return {
    $id,
    type: 'object',
    properties: { paths: PATHS, ...properties },
    required: ['paths'],
    additionalProperties: false,
  }
}
