import { ADMIN_ERRORS, BODY_ERRORS, errorAnswer, type Operation, plainErrorAnswer } from './operation.ts'

/** The operations that define external tables. */
export const EXTERNAL_TABLE_OPERATIONS: Readonly<Record<string, Operation>> = {
  createExternalTable: {
    requests: {
      files: {
        summary: 'All Parquet files of a pattern',
        body: { name: 'observations', location: 'observations/*.parquet', file_type: 'PARQUET' },
        isOfSample: true,
      },
      unknown_type: {
        summary: 'A type of files that is not known',
        body: { name: 'stations', location: 'stations/', file_type: 'XLSX' },
      },
    },
    answers: {
      200: { description: 'The table is there; without a body' },
      400: plainErrorAnswer('The table cannot be created', {
        unknown_type:
          'STORED AS XLSX: no such file format was found; there are PARQUET, GEOPARQUET, CSV, ARROW, NETCDF, NC, ODV, TIFF, ZARR, BBF, HDF5, H5, REMOTE, POSTGRES, POSTGRESQL, MYSQL, MARIADB.',
      }),
      ...BODY_ERRORS,
      422: errorAnswer('The body is JSON, but not an object, or a member is missing'),
      ...ADMIN_ERRORS,
    },
  },
}
