/** Attributes by which NetCDF-4 and dimension scales are stored. They are not attributes of the variable. */
export const NETCDF4_STORAGE: ReadonlySet<string> = new Set([
  'CLASS',
  'DIMENSION_LABELS',
  'DIMENSION_LIST',
  'NAME',
  'REFERENCE_LIST',
  '_NCProperties',
  '_Netcdf4Coordinates',
  '_Netcdf4Dimid',
  '_nc3_strict',
])
