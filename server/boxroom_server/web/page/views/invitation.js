/**
 * The invitation to a room: its link as a QR code, to share and to copy.
 *
 * @import { Description, View } from '../dom.js'
 * @import { RoomState } from '../state/state.js'
 */

import { h } from '../dom.js';
import { linkTo } from '../state/state.js';
import { linkToCopy } from './another_device.js';
import { qrCodeView } from './qr_code.js';

/** @type {View<(?Description)[], RoomState>} */
export function inviteView(state, t) {
  const { picture, canShare, qrCode } = state;
  const link = linkTo(state, picture.room);
  return [
    qrCode?.text === link && qrCode.rows.length ? qrCodeView(qrCode.rows, t('qr_code')) : null,
    h('p', {}, t('invite_scan')),
    picture.settings.private ? h('p', {}, t('invite_private')) : null,
    canShare
      ? h('button.primary', { key: 'share', onclick: { type: 'share', text: link } }, t('share'))
      : null,
    ...linkToCopy(t('invite_text'), link, t, !canShare),
  ];
}
