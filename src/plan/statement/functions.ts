/** Beside each function of SQL that reads files there is one, of this name behind it, that tells their columns. */
export const SCHEMA_SUFFIX = '_schema'

/** The table function that lists datasets. */
export const DATASETS_FUNCTION = 'list_datasets'

/** The pattern of all datasets. */
export const EVERYTHING = '**/*'
