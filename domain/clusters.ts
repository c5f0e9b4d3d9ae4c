// The names of clusters of MPC nodes. Where their nodes are is the workers' configuration; which wallet belongs to
// which one is a row.

/** Of every wallet, unless an operator has said another one for its workspace. */
export const mainCluster = 'main';

export const clusterName = /^[a-z0-9-]{1,32}$/;
