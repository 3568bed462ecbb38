// Reads an uploaded logo. The content decides its type, not the name or what the browser says. The
// image is taken apart and written anew with the parts that make the picture: comments, locations,
// other files behind the image and everything else that someone may have hidden in it are left out.
import { LogoProblem, type ReadImage } from './image-parts.ts'
import { readJpeg } from './jpeg-image.ts'
import { readPng } from './png-image.ts'

export const logoBytesMax = 512 * 1024
// Of each side. A page shows it at most 240 pixels wide; the rest is for print.
const sideMax = 2000
const sideMin = 16

export type ReadLogo =
  | (ReadImage & { readonly contentType: 'image/png' | 'image/jpeg' })
  // What the person should do.
  | { readonly problem: string }

export function readLogo(bytes: Buffer): ReadLogo {
  if (bytes.length > logoBytesMax) return { problem: tooLarge }
  const contentType = typeOf(bytes)
  if (!contentType) return { problem: 'Choose a PNG or JPEG image.' }
  try {
    const image = contentType === 'image/png' ? readPng(bytes, sideMax) : readJpeg(bytes)
    const { width, height } = image
    if (Math.max(width, height) > sideMax) return { problem: tooWide }
    if (Math.min(width, height) < sideMin) {
      return { problem: `Choose an image of at least ${sideMin} pixels on each side.` }
    }
    return { ...image, contentType }
  } catch (error) {
    if (!(error instanceof LogoProblem)) throw error
    return { problem: error.message }
  }
}

export const tooLarge = `The file is too large. Choose one of at most ${logoBytesMax / 1024} kB.`
const tooWide = `Choose an image of at most ${sideMax} pixels on each side.`

function typeOf(bytes: Buffer): 'image/png' | 'image/jpeg' | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'image/png'
  return bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')) ? 'image/jpeg' : undefined
}
