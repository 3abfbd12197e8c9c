/** Those of test/fixtures/zarr that are of version 2, by their names. */
export const OF_VERSION_2 = /^(v2-|xarray-v2|nczarr|tensorstore-v2)/
