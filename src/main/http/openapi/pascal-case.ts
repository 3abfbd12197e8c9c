/** A name such as `nd_netcdf` as generated clients write types: `NdNetcdf`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())
}
