package operations

import (
	"context"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/config"
)

// GCPOperationsProvider has no logs to offer here.
func GCPOperationsProvider(context.Context, map[config.Key]string, *Resource) (Provider, error) {
	return nil, errAbsentLogs
}
