// In which units the amounts of transactions are: what their assets and networks are called, and what fees are counted
// in there. Reads the catalogue, and no transaction.
import { formatAmount } from '../../domain/money.ts';
import type { AssetCatalog } from '../catalog/assets.ts';

export interface AssetUnits {
  symbol: string;
  networkCode: string;
  /** The native currency of the network. */
  feeSymbol: string;
  formatFee(baseUnits: bigint): string;
}

/** By the id of the asset. */
export async function readUnits(assets: AssetCatalog): Promise<ReadonlyMap<string, AssetUnits>> {
  const all = await assets.all();
  const natives = new Map(all.filter(({ asset }) => asset.isNative).map(({ asset }) => [asset.networkId, asset]));
  return new Map(
    all.flatMap(({ asset, network }) => {
      const native = natives.get(network.id);
      if (native === undefined) return [];
      const formatFee = (baseUnits: bigint) => formatAmount(baseUnits, native.decimals);
      return [
        [asset.id, { symbol: asset.symbol, networkCode: network.internalCode, feeSymbol: native.symbol, formatFee }],
      ];
    }),
  );
}
