// Pays from a wallet of the sandbox, as in `node payments.mjs .local/credentials.json` beside `npm start`.
import { readFileSync } from 'node:fs';
import { CountersignClient } from '@countersign/client';

const { base_url, api_key, api_secret } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const client = new CountersignClient({ baseUrl: base_url, apiKey: api_key, apiSecret: api_secret });

const { wallet_id } = await client.createWallet({ name: 'Payments' }).wait();
const assets = await client.get('/api/v1/assets', { query: { symbol: 'ETH' } });
const asset_id = assets.find(({ network }) => network.internal_code === 'ETHEREUM_SANDBOX').id;

// In the sandbox a faucet pays the wallet. The event says when the deposit is final.
await client.faucet({ wallet_id, asset_id, amount: '1' });
for await (const { data } of client.followEvents({ type: ['deposit.confirmed'] }))
  if (data.wallet_id === wallet_id) break;

const payment = { asset_id, amount: '0.25', recipient_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' };
const paid = await client.requestWithdrawal(wallet_id, payment).wait();
console.log('paid', paid.amount, 'by', paid.tx_hash);

for await (const balance of client.balances({ wallet_id: [wallet_id] })) console.log(balance.symbol, balance.available);
