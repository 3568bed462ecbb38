// The branding of the business: what payers see of it, and a sample of a document.
import { drawSampleDocument } from '../../books/documents/draw-sample-document.ts'
import { type Brand, fitted, logoPath } from '../../kernel/brand/brand.ts'
import { contrastText } from '../../kernel/brand/brand-colour.ts'
import { getBrand } from '../../kernel/brand/get-brand.ts'
import { setBrand } from '../../kernel/brand/set-brand.ts'
import { setLogo } from '../../kernel/brand/set-logo.ts'
import { Card } from '../../kernel/web/components.tsx'
import { ActionButton } from '../components/app-form.tsx'
import { Facts } from '../components/facts.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { brandPath } from './brand-path.ts'
import { BrandPreview } from './brand-preview.tsx'

const brandingPage = definePage({
  path: brandPath,
  operation: getBrand,
  async show(visit) {
    const brand = await visit.run(getBrand, {})
    return {
      title: 'Branding',
      content: (
        <>
          <PageHeader
            title="Branding"
            lead="On payment pages, quotes, mails and documents, live and in the sandbox."
            back={{ href: visit.href('/settings'), text: 'Settings' }}
            actions={
              visit.may(setBrand) && (
                <a class="btn btn-primary" href={visit.href(`${brandPath}/edit`)}>
                  Edit branding
                </a>
              )
            }
          />
          <div class="stack">
            <LogoCard visit={visit} brand={brand} />
            <Details visit={visit} brand={brand} />
            <section>
              <h2>Preview</h2>
              <BrandPreview visit={visit} brand={brand} />
              <p>
                <a
                  href={visit.href(`${brandPath}/sample`)}
                  data-turbo="false"
                  target="_blank"
                  rel="noopener"
                >
                  Open a sample invoice as PDF
                </a>
              </p>
            </section>
          </div>
        </>
      ),
    }
  },
})

type BrandProps = { visit: Visit; brand: Brand }

function LogoCard({ visit, brand: { logo } }: BrandProps) {
  const { businessId } = visit.membership
  return (
    <Card title="Logo">
      {logo ? (
        <img
          class="brand-logo"
          src={logoPath(businessId, logo)}
          alt="Your logo"
          {...fitted(logo, { width: 240, height: 80 })}
        />
      ) : (
        <p class="quiet">No logo. The name of the business is shown instead.</p>
      )}
      {visit.may(setLogo) && (
        <div class="actions">
          <a class="btn" href={visit.href(`${brandPath}/logo`)}>
            {logo ? 'Replace logo' : 'Upload logo'}
          </a>
          {logo && (
            <ActionButton
              action={visit.href(`${brandPath}/logo/remove`)}
              token={visit.context.ids.uuid()}
              label="Remove logo"
            />
          )}
        </div>
      )}
    </Card>
  )
}

function Details({ visit, brand }: BrandProps) {
  const { colour, contactEmail, contactPhone, websiteUrl, termsUrl, privacyUrl } = brand
  return (
    <Card title="What payers see">
      <Facts
        facts={[
          ['Colour', colour === null ? <NotSet /> : `${colour}. ${contrastText(colour)}`],
          ['E-mail', contactEmail ?? <NotSet />],
          ['Phone', contactPhone ?? <NotSet />],
          ['Website', websiteUrl ?? <NotSet />],
          ['Terms', termsUrl ?? <NotSet />],
          ['Privacy notice', privacyUrl ?? <NotSet />],
        ]}
      />
      <p class="quiet mb-0">
        Legal name and address are in{' '}
        <a href={visit.href('/settings/business')}>Business details</a>.
      </p>
    </Card>
  )
}

function NotSet() {
  return <span class="quiet">Not set</span>
}

const samplePage = definePage({
  path: `${brandPath}/sample`,
  operation: drawSampleDocument,
  async show(visit) {
    const { filename, content } = await visit.run(drawSampleDocument, {})
    const headers = {
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${filename}"`,
    }
    return { status: 200, headers, body: content }
  },
})

export const brandPages = [...brandingPage, ...samplePage]
