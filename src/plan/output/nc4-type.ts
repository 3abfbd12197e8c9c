/** The external types of NetCDF-4 that are written, by their names in CDL. */
export type Nc4Type =
  | 'byte'
  | 'ubyte'
  | 'short'
  | 'ushort'
  | 'int'
  | 'uint'
  | 'int64'
  | 'uint64'
  | 'float'
  | 'double'
  | 'char'
  | 'string'
