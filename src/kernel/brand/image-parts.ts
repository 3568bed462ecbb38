// What the readers of images share.
export type ReadImage = {
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

// A sentence that says what to do.
export class LogoProblem extends Error {}

export function damaged(): LogoProblem {
  return new LogoProblem('The image is damaged. Save it again as PNG or JPEG, then choose it.')
}
