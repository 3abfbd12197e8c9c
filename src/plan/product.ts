/** The name of the service, `SERVICE_NAME`, and the version of this build. */
export interface Product {
  readonly name: string
  readonly version: string
}
