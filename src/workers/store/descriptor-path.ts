/** The path at which a thread opens a file that another one has open under this number. */
export function descriptorPath(descriptor: number): string {
  return `/dev/fd/${descriptor}`
}
