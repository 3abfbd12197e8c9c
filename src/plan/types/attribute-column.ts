import type { Field } from './schema.ts'

/**
 * The key in the metadata of a column that is an attribute of a file of arrays, such as `.title` or `sst.units`. Its value is the name of
 * the column in the files. A column of another name is none.
 */
const ATTRIBUTE_COLUMN = 'halocline:attribute'

/** A column of a file as one of an attribute. */
export function asAttributeColumn(column: Field): Field {
  return Object.freeze({ ...column, metadata: Object.freeze({ [ATTRIBUTE_COLUMN]: column.name }) })
}

/** Whether a column of an answer is an attribute of the files that are read, under its own name. */
export function isAttributeColumn({ name, metadata }: Field): boolean {
  return Object.hasOwn(metadata, ATTRIBUTE_COLUMN) && metadata[ATTRIBUTE_COLUMN] === name
}
