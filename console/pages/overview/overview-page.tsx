// What needs somebody now, what there is, and for a newcomer the way to a first withdrawal.
import { Link } from 'wouter';
import { PageHead, Section } from '../../components/section.tsx';
import { BalancesByAsset } from './balances-by-asset.tsx';
import { FirstSteps } from './first-steps.tsx';
import { NeedsMe } from './needs-me.tsx';
import { Queues, Rates } from './rates-and-queues.tsx';

export function OverviewPage() {
  return (
    <>
      <PageHead title="Overview" />
      <FirstSteps />
      <Section title="What needs me">
        <NeedsMe />
      </Section>
      <div className="columns">
        <Rates />
        <Queues />
      </div>
      <Section title="Balances by asset">
        <BalancesByAsset />
        <p>
          <Link href="/wallets">All wallets</Link>
        </p>
      </Section>
    </>
  );
}
