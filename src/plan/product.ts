/** What the service calls itself: `SERVICE_NAME`, a word, and the version of this build. */
export interface Product {
  readonly name: string
  readonly version: string
}
