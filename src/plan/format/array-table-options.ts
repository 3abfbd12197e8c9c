import { flagOption, listOption, type TableOption, textOption } from './table-options.ts'

/** The keys of OPTIONS of tables of arrays. The last two choose among readers of the reference service. */
export const ARRAY_TABLE_OPTIONS: readonly TableOption[] = Object.freeze([
  listOption('read_dimensions', 'dimensions'),
  listOption('dimensions'),
  textOption('nan'),
  flagOption('attributes'),
  flagOption('use_rust_reader', null),
  flagOption('enable_statistics', null),
])

/** The keys of OPTIONS of tables of Zarr stores. What is known of coordinates is always used. */
export const ZARR_TABLE_OPTIONS: readonly TableOption[] = Object.freeze([
  listOption('read_dimensions', 'dimensions'),
  listOption('dimensions'),
  textOption('nan'),
  flagOption('attributes'),
  listOption('statistics_columns'),
  textOption('group'),
  flagOption('enable_statistics', null),
])
