// SPDX-License-Identifier: Apache-2.0
// The dollar of the sandbox's Ethereum: a plain ERC-20 with 6 decimals whose owner mints. It is worth nothing.
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

contract SandboxUsd is ERC20, Ownable {
    constructor(address treasury, uint256 supply) ERC20("Sandbox USD Coin", "USDC") Ownable(treasury) {
        _mint(treasury, supply);
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }
}
