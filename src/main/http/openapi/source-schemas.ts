import type { Formats } from '../../../plan/format/create-formats.ts'
import type { FormatRow } from '../../../plan/format/format-row.ts'
import { PATH_OPTIONS, requestOptions } from '../../../plan/format/path-options.ts'
import { pascalCase } from './pascal-case.ts'

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
    $id: `From${pascalCase(key)}`,
    type: 'object',
    properties: { [key]: { $ref: `${idOf(row)}#` } },
    required: [key],
    additionalProperties: false,
  }))
  const plain = formats.rows.filter(({ options }) => options.length === 0)
  const withOptions = formats.rows.filter(({ options }) => options.length > 0)
  return [
    {
      $id: 'From',
      oneOf: [{ type: 'string', description: 'A table' }, ...keys.map(({ $id }) => ({ $ref: `${$id}#` }))],
    },
    ...keys,
    files(PLAIN, PATH_OPTIONS),
    ...(plain.some(({ storage }) => storage.kind === 'folder') ? [files(STORES, [])] : []),
    ...withOptions.map((row) => files(idOf(row), requestOptions(row))),
  ]
}

/** Files of a format that has no options of its own. */
const PLAIN = 'Files'

/** Folders that are datasets, of such a format. */
const STORES = 'Stores'

function idOf({ title, options, storage }: FormatRow): string {
  const id = storage.kind === 'object' ? PLAIN : STORES
  return options.length === 0 ? id : `${title}${id}`
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
