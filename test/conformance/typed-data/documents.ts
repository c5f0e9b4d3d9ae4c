// EIP-712 documents as wallets meet them, each with what its authors published about it: the digest, or the type hashes
// in their contracts.
import type { TypedData } from '../../../domain/payloads/typed-data.ts';

export interface PublishedDocument {
  source: string;
  document: TypedData;
  digest?: string;
  /** By struct. */
  typeHashes?: Readonly<Record<string, string>>;
}

const fields = (text: string) =>
  text.split(', ').map((field) => {
    const [type = '', name = ''] = field.split(' ');
    return { name, type };
  });

const fullDomain = fields('string name, string version, uint256 chainId, address verifyingContract');
const etherMail = {
  name: 'Ether Mail',
  version: '1',
  chainId: 1,
  verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
};
const seaport = '0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC';
const zeroAddress = `0x${'00'.repeat(20)}`;

const seaportOrder: PublishedDocument = {
  source: 'Seaport 1.5 order (_ORDER_TYPEHASH and its parts in ConsiderationConstants.sol)',
  typeHashes: {
    OrderComponents: '0xfa445660b7e21515a59617fcd68910b487aa5808b8abda3d78bc85df364b2c2f',
    OfferItem: '0xa66999307ad1bb4fde44d13a5d710bd7718e0c87c1eef68a571629fbf5b93d02',
    ConsiderationItem: '0x42d81c6929ffdc4eb27a0808e40e82516ad42296c166065de7f812492304ff6e',
  },
  document: {
    types: {
      EIP712Domain: fullDomain,
      OrderComponents: fields(
        'address offerer, address zone, OfferItem[] offer, ConsiderationItem[] consideration, uint8 orderType, uint256 startTime, ' +
          'uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 conduitKey, uint256 counter',
      ),
      OfferItem: fields(
        'uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount',
      ),
      ConsiderationItem: fields(
        'uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount, address recipient',
      ),
    },
    primaryType: 'OrderComponents',
    domain: { name: 'Seaport', version: '1.5', chainId: '1', verifyingContract: seaport },
    message: {
      offerer: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
      zone: zeroAddress,
      offer: [
        {
          itemType: 2,
          token: '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d',
          identifierOrCriteria: '8520',
          startAmount: '1',
          endAmount: '1',
        },
      ],
      consideration: [
        [0, '14625000000000000000', '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'],
        [0, '375000000000000000', '0x0000a26b00c1f0df003000390027140000faa719'],
      ].map(([itemType = 0, amount = '', recipient = '']) => ({
        itemType,
        token: zeroAddress,
        identifierOrCriteria: 0,
        startAmount: amount,
        endAmount: amount,
        recipient,
      })),
      orderType: 0,
      startTime: '1683000000',
      endTime: '1685592000',
      zoneHash: `0x${'00'.repeat(32)}`,
      salt: '0x360c6ebe0000000000000000000000000000000000000000f2ea3a2c7f3a5d1b',
      conduitKey: '0x0000007b02230091a7ed01230072f7006a004d60a8d4e71d599b8104250f0000',
      counter: 0,
    },
  },
};

const permit: PublishedDocument = {
  source: 'EIP-2612 (PERMIT_TYPEHASH)',
  typeHashes: { Permit: '0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9' },
  document: {
    types: {
      EIP712Domain: fullDomain,
      Permit: fields('address owner, address spender, uint256 value, uint256 nonce, uint256 deadline'),
    },
    primaryType: 'Permit',
    domain: {
      name: 'USD Coin',
      version: '2',
      chainId: 1,
      verifyingContract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    },
    message: {
      owner: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
      spender: '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
      value: ((1n << 256n) - 1n).toString(),
      nonce: '0x0',
      deadline: 1_900_000_000,
    },
  },
};

const safe: PublishedDocument = {
  source: 'Safe 1.3.0 transaction (SAFE_TX_TYPEHASH and DOMAIN_SEPARATOR_TYPEHASH in GnosisSafe.sol)',
  typeHashes: {
    SafeTx: '0xbb8310d486368db6bd6f849402fdd73ad53d316b5a4b2644ad6efe0f941286d8',
    EIP712Domain: '0x47e79534a245952e8b16893a336b85a3d9ea9fa8c573f3d803afb92a79469218',
  },
  document: {
    types: {
      EIP712Domain: fields('uint256 chainId, address verifyingContract'),
      SafeTx: fields(
        'address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, ' +
          'address gasToken, address refundReceiver, uint256 nonce',
      ),
    },
    primaryType: 'SafeTx',
    domain: { chainId: '0x64', verifyingContract: '0x5afe3855358e112b5647b952709e6165e1c1eeee' },
    message: {
      to: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
      value: '1000000000000000000',
      data: '0xa9059cbb',
      operation: 0,
      safeTxGas: 0,
      baseGas: 0,
      gasPrice: 0,
      gasToken: zeroAddress,
      refundReceiver: zeroAddress,
      nonce: 17,
    },
  },
};

export const publishedDocuments: readonly PublishedDocument[] = [
  {
    source: 'EIP-712, Mail',
    digest: '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2',
    typeHashes: {
      Mail: '0xa0cedeb2dc280ba39b857546d74f5549c3a1d7bdc2dd96bf881f76108e23dac2',
      Person: '0xb9d8c78acf9b987311de6c7b45bb6a9c8e1bf361fa7fd3467a2163f994c79500',
      EIP712Domain: '0x8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f',
    },
    document: {
      types: {
        EIP712Domain: fullDomain,
        Person: fields('string name, address wallet'),
        Mail: fields('Person from, Person to, string contents'),
      },
      primaryType: 'Mail',
      domain: etherMail,
      message: {
        from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
        to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
        contents: 'Hello, Bob!',
      },
    },
  },
  {
    source: 'eth-sig-util, Mail to several people with several wallets (version 4)',
    digest: '0xa85c2e2b118698e88db68a8105b794a8cc7cec074e89ef991cb4f5f533819cc2',
    document: {
      types: {
        EIP712Domain: fullDomain,
        Person: fields('string name, address[] wallets'),
        Mail: fields('Person from, Person[] to, string contents'),
        Group: fields('string name, Person[] members'),
      },
      primaryType: 'Mail',
      domain: etherMail,
      message: {
        from: {
          name: 'Cow',
          wallets: ['0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826', '0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF'],
        },
        to: [
          {
            name: 'Bob',
            wallets: [
              '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB',
              '0xB0BdaBea57B0BDABeA57b0bdABEA57b0BDabEa57',
              '0xB0B0b0b0b0b0B000000000000000000000000000',
            ],
          },
        ],
        contents: 'Hello, Bob!',
      },
    },
  },
  permit,
  safe,
  seaportOrder,
];
