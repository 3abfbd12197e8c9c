/** The first sentence about the service, on the home page and in the OpenAPI document. */
export const WHAT_IT_DOES =
  'SQL and JSON queries over Parquet, CSV, ODV, Arrow, NetCDF, HDF5, GeoTIFF and BBF files and Zarr stores where they lie.'
