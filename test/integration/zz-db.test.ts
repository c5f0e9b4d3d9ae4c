import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/postgres.ts';
test('db', async () => { for (let i=0;i<4;i++){const t=Date.now(); const d = await createTestDatabase(); console.log('create', Date.now()-t); await d.drop(); console.log('drop',Date.now()-t)} expect(1).toBe(1)});
