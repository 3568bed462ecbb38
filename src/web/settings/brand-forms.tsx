// The forms of the branding: colour, contact and links with a preview, and the logo.

import { invalidField } from '../../kernel/basics/fault.ts'
import type { plainBrand } from '../../kernel/brand/brand.ts'
import { colourPattern, contrastText } from '../../kernel/brand/brand-colour.ts'
import { getBrand } from '../../kernel/brand/get-brand.ts'
import { logoBytesMax, tooLarge } from '../../kernel/brand/logo-image.ts'
import { setBrand } from '../../kernel/brand/set-brand.ts'
import { removeLogo, setLogo } from '../../kernel/brand/set-logo.ts'
import { FileField } from '../../kernel/web/form.tsx'
import { DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { type Draft, defineAction, defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { brandPath } from './brand-path.ts'
import { BrandPreview, plainColour } from './brand-preview.tsx'

const fields = [
  ['contactEmail', 'E-mail for payers', 'For questions about a payment.'],
  ['contactPhone', 'Phone for payers', undefined],
  ['websiteUrl', 'Website', 'Begins with https://.'],
  ['termsUrl', 'Address of your terms', undefined],
  ['privacyUrl', 'Address of your privacy notice', undefined],
] as const

const editForm = defineForm({
  path: `${brandPath}/edit`,
  operation: setBrand,
  input: (_visit, form) => ({
    colour: typed(form, 'colour'),
    contactEmail: typed(form, 'contactEmail'),
    contactPhone: typed(form, 'contactPhone'),
    websiteUrl: typed(form, 'websiteUrl'),
    termsUrl: typed(form, 'termsUrl'),
    privacyUrl: typed(form, 'privacyUrl'),
  }),
  async show(visit, draft) {
    const brand = await visit.run(getBrand, {})
    const colour = (draft.values.get('colour') ?? brand.colour ?? '').trim().toLowerCase()
    const isColour = colourPattern.test(colour)
    return formPage({
      title: 'Edit branding',
      back: { href: visit.href(brandPath), text: 'Branding' },
      draft,
      submit: 'Save branding',
      children: (
        <>
          <DraftText
            draft={draft}
            name="colour"
            label="Colour"
            hint="Of buttons and lines, such as #0b6e5b. Text on it is always readable."
            initial={brand.colour ?? ''}
            isOptional
          />
          <p class="form-hint colour-line">
            <input
              type="color"
              data-colour-picker
              hidden
              aria-label="Choose a colour"
              value={isColour ? colour : plainColour}
            />
            <span data-contrast role="status">
              {isColour ? contrastText(colour) : ''}
            </span>
          </p>
          {fields.map(([name, label, hint]) => (
            <DraftText
              key={name}
              {...{ draft, name, label }}
              {...(hint !== undefined && { hint })}
              initial={brand[name] ?? ''}
              isOptional
            />
          ))}
        </>
      ),
      below: <BrandPreview visit={visit} brand={{ ...brand, ...draftBrand(draft) }} />,
    })
  },
  done: (visit) => ({ location: visit.href(brandPath), message: 'The branding is saved.' }),
})

// What was typed, as far as the preview can show it.
function draftBrand({ values }: Draft): Partial<typeof plainBrand> {
  const colour = typed(values, 'colour')?.toLowerCase()
  return {
    ...(colour !== undefined && colourPattern.test(colour) && { colour }),
    ...Object.fromEntries(
      fields.flatMap(([name]) => (values.has(name) ? [[name, typed(values, name)]] : [])),
    ),
  }
}

const logoForm = defineForm({
  path: `${brandPath}/logo`,
  operation: setLogo,
  takesFiles: { bytesMax: logoBytesMax, filesMax: 1 },
  input: (visit) => ({ bytes: chosenFile(visit) }),
  async show(visit, draft) {
    return formPage({
      title: 'Logo',
      back: { href: visit.href(brandPath), text: 'Branding' },
      draft,
      submit: 'Save logo',
      hasFile: true,
      children: (
        <>
          <FileField
            name="logo"
            label="Image"
            hint={`PNG or JPEG, at most ${logoBytesMax / 1024} kB and 2000 pixels on each side.`}
            accept="image/png,image/jpeg"
            error={draft.problems.logo}
          />
          <p class="quiet">
            A transparent PNG looks best. Documents that were issued keep the logo that they have.
          </p>
        </>
      ),
    })
  },
  done: (visit) => ({ location: visit.href(brandPath), message: 'The logo is saved.' }),
})

function chosenFile({ request: { upload } }: Visit): Buffer {
  const file = upload?.kind === 'files' ? upload.files[0] : undefined
  if (!file) throw invalidField('logo', 'Choose an image.')
  if (file.bytes === 'too_large') throw invalidField('logo', tooLarge)
  return file.bytes
}

const removeLogoForm = defineAction({
  path: `${brandPath}/logo/remove`,
  operation: removeLogo,
  input: () => ({}),
  page: (visit) => visit.href(brandPath),
  done: (visit) => ({ location: visit.href(brandPath), message: 'The logo is removed.' }),
})

function typed(form: URLSearchParams, name: string): string | null {
  return (form.get(name) ?? '').trim() || null
}

export const brandForms = [...editForm, ...logoForm, ...removeLogoForm]
