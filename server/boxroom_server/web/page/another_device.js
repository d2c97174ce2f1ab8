/** The way of a person to another device: the link on the old one, the question on the new one. */

import { linkToCopy } from './dialogs.js';
import { h } from './dom.js';
import { identityLink, masked, randomPad, takeIdentity } from './identity_link.js';
import { FOR_NOW, Offline } from './link.js';

/** Open the sheet from which a person takes their name to another device. */
export function openOffer(app) {
  app.identityLink = null;
  app.dialogs.sheet(app.t('other_device'), () => offerView(app));
}

function offerView(app) {
  const { t } = app;
  return [
    h('p', {}, t('other_device_text')),
    ...(app.identityLink
      ? linkToCopy(app, t('other_device_link'), app.identityLink)
      : [h('button.primary', { onclick: () => offerIdentity(app) }, t('make_link'))]),
    h('p.help', {}, t(app.store.isKept ? 'kept' : 'not_kept')),
  ];
}

/** Offer the identity to the server, and show the link until it expires. */
function offerIdentity(app) {
  const { link, picture } = app;
  return app.attempt(async () => {
    const pad = randomPad(link.secret.length);
    const offer = { type: 'offer_identity', masked: masked(link.secret, pad) };
    const { code, expires_ms: expiresMs } = await link.request(offer);
    const place = picture && { room: picture.room, watch: link.audience === 'spectator' };
    const made = identityLink(location.origin + location.pathname, { pad, code, place });
    app.identityLink = made;
    setTimeout(() => {
      if (app.identityLink === made) app.identityLink = null;
      app.render();
    }, expiresMs - link.serverNow());
  });
}

/** Tell the person that another device has taken the identity. */
export function identityTaken(app) {
  app.identityLink = null;
  app.dialogs.sheet(app.t('other_device'), () => h('p', {}, app.t('identity_taken')));
}

/** The view of a link that brings an identity to this browser: nothing happens without a button. */
export function arrivalView(app) {
  const { t, arrival } = app;
  return h(
    'main.greeting',
    { 'data-key': 'arrival' },
    h('h1', {}, t('welcome')),
    arrival.problem
      ? h('p.problem', { role: 'alert' }, arrival.problem)
      : h('p', {}, t(arrival.code ? 'arrival_text' : 'arrival_damaged')),
    arrival.code
      ? h(
          'button.primary',
          { disabled: arrival.isBusy, onclick: () => takeOver(app) },
          t('take_over'),
        )
      : null,
    h('button', { onclick: () => app.stay() }, t('stay')),
  );
}

async function takeOver(app) {
  const { arrival } = app;
  arrival.isBusy = true;
  app.render();
  try {
    const identity = await takeIdentity(app.url, arrival);
    if (await mayReplace(app, identity)) app.become(identity, arrival.place);
    else app.stay();
  } catch (error) {
    const isForNow = error instanceof Offline || FOR_NOW.includes(error.code);
    const why = error.code === 'no_such_code' ? 'no_such_code' : 'arrival_damaged';
    arrival.problem = isForNow ? error.message : app.t(why);
    if (!isForNow) arrival.code = null;
  }
  arrival.isBusy = false;
  app.render();
}

/** Ask before the secret of another name is lost in this browser. */
async function mayReplace(app, { name, secret }) {
  const { name: former, secret: formerSecret } = app.identity;
  if (!former || formerSecret === secret) return true;
  return app.dialogs.ask(app.t('become_really', { former, name }), app.t('become', { name }));
}
