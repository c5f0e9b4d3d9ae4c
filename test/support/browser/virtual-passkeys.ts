// A virtual authenticator in a page of a real Chromium, by the DevTools protocol: it answers as somebody would who
// touches the sensor at once.
import type { Page } from 'playwright-core';

export async function giveAuthenticator(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Opens the link, makes the passkey and signs in with it. */
export async function enrolAndSignIn(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel('Name of the passkey').fill('test device');
  await page.getByRole('button', { name: 'Enrol the passkey' }).click();
  await page.getByRole('button', { name: 'Go on to sign in' }).click();
  await signInWithPasskey(page);
}

export async function signInWithPasskey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
}
