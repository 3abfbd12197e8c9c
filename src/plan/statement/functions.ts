/** The end of the names of functions that give the columns of files: `read_parquet_schema` beside `read_parquet`. */
export const SCHEMA_SUFFIX = '_schema'

/** The table function that lists datasets. */
export const DATASETS_FUNCTION = 'list_datasets'

/** The pattern of all datasets. */
export const EVERYTHING = '**/*'
