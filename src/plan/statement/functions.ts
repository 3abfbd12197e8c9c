/** The end of the names of functions that give the columns of files: `read_parquet_schema` beside `read_parquet`. */
export const SCHEMA_SUFFIX = '_schema'

/** The same of functions that list the variables of files of arrays: `read_netcdf_variables` beside `read_netcdf`. */
export const VARIABLES_SUFFIX = '_variables'

/** The table function that lists datasets. */
export const DATASETS_FUNCTION = 'list_datasets'

/** The table function that tells what is known of the columns of files. */
export const STATISTICS_FUNCTION = 'file_statistics'

/** The pattern of all datasets. */
export const EVERYTHING = '**/*'
